"""What may not leave this computer: names of the child and of those around it, and what makes it recognisable.

`names` knows how a name of the profile is written, `traits` finds what no profile has to name (telephone numbers,
addresses, schools, surnames with a title), `pseudonyms` puts stand-ins in and the names back.
"""

from .pseudonyms import Pseudonyms, pseudonyms_of

__all__ = ["Pseudonyms", "pseudonyms_of"]
