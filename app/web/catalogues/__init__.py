"""Services that answer without a key: Wikipedia, and the catalogues of papers arXiv, Crossref and OpenAlex.

Their addresses are `PUBLIC_SERVICES`; the person may put others in their place.
"""

from app.core.tools.endpoint import Endpoint

from .scholar import ARXIV, CROSSREF, OPENALEX
from .wikipedia import WIKIPEDIA

PUBLIC_SERVICES: tuple[Endpoint, ...] = (WIKIPEDIA, ARXIV, CROSSREF, OPENALEX)
