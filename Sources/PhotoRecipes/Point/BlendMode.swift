/// How a step's result is laid on what was before it.
///
/// On display-encoded values; all but `normal` clip both to 0…1. The last four take one property of
/// the result and the rest of what was before.
/// - Source: W3C, Compositing and Blending Level 1, sections 9 and 10; `add` is `plus-lighter`.
public enum BlendMode: String, Choice {
  case normal, multiply, screen, overlay, darken, lighten
  case colourDodge = "colour-dodge"
  case colourBurn = "colour-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"
  case difference, exclusion, add, subtract
  case hue, saturation, colour, luminosity
}
