"""What is done in the open session: questions sent and asked again, messages changed, pane and plan followed."""
