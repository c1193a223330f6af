"""The window as a whole: menus, actions, opening files, and the layout of the panels."""
