"""Questions to the person: approvals, permission grants, links before they open."""
