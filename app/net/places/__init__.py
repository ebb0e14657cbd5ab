"""Places of the person's own: a folder, a WebDAV server, a bucket of an S3-compatible store."""
