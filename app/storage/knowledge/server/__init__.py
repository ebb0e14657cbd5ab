"""Knowledge bases on a PostgreSQL server with the extension `vector`, in a schema of its own."""
