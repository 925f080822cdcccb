extension Colour {
  /// The red, green and blue channels, display-encoded, 0…1.
  var encoded: ColourMatrix.Vector {
    ColourMatrix.Vector(Double(red), Double(green), Double(blue)) / 255
  }
}
