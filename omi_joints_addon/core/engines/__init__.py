"""What physics engines make of joints."""
