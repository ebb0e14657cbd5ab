"""A page as readable text: fetched by the guarded client, decoded, cleaned of menus and advertisements.

fetch     one address to one `Page`          charset   the encoding of a page that says one, or none
readable  the text of HTML                   robots    what the site asks programs not to read
"""
