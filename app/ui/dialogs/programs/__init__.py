"""Pages of the settings about other programs: agents that are one (`agents`), addresses that are told (`webhooks`),
programs that are answered (`local_api`)."""
