"""What is wrong or surprising in a scene."""
