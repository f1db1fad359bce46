"""Other packages' classes and calling conventions over this one."""
