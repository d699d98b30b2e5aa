"""See core_tools."""
