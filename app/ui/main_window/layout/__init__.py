"""Where the parts of the window stand: side panes, the page beside the chat, a pane slid over it in a narrow window."""
