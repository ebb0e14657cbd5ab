"""Conversations and files in and out: attachments, exports, imports."""
