"""The services that know live things: how each is asked and how its answers are read. Nothing else goes out.

`endpoints` says which there are. Open-Meteo and Nominatim need no key; QWeather and Amap are asked in their place where
the person has chosen them and given a key. Points of Amap are in GCJ-02 and become WGS-84 here.
"""
