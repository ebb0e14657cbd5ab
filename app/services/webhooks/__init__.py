"""Other programs are told how runs end and what waits for an approval, at addresses the person typed.

`hooks` is what was set up, `messages` what is sent and how it is signed, `deliveries` the stored queue, `service`
all of it for window and command line.
"""
