"""Settings, profiles, grants and keys: small files a person may edit, and the system keyring."""
