"""What people write, read as values in Chinese and English: words, numbers, units, dates.

Used by the offline rules, by the domains' own slot readers and by the forgiving reading of arguments. Nothing here
knows a trade, and every function is pure.

    text   one spelling for all, word patterns        numerals  3, 三, three, 1.5万
    units  numbers with a unit, refusals              dates     5月3日, next Friday, 国庆
"""
