"""A quotation as a file: a workbook, a page with letterhead, rows for a spreadsheet."""
