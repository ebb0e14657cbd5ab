"""The two ways to a server: a program over its standard streams, an address over HTTP.

`wire` reads both with limits; `processes` starts and ends a program; `refusals` words HTTP answers that are not the
protocol's.
"""
