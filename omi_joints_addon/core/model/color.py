"""Colors in linear light and as screens have them (IEC 61966-2-1), with alpha."""

Color = tuple[float, float, float, float]
"""Red, green, blue and alpha, 0 to 1."""


def linear_color(color: Color) -> Color:
    """Return a color for screens in linear light."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3]
    )
    return red, green, blue, color[3]


def screen_color(color: Color) -> Color:
    """Return a linear color for screens."""
    red, green, blue = (
        part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1.0 / 2.4) - 0.055
        for part in color[:3]
    )
    return red, green, blue, color[3]
