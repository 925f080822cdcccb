import PhotoRecipes

extension Placement {
  /// From the pixel numbers x and y of an image of `size` to places in the frame: two rows of three
  /// numbers, `u = r0 + r1 x + r2 y` and `v = r3 + r4 x + r5 y`.
  func rows(on size: Size) -> [Double] {
    let across = across / Double(size.width)
    let down = down / Double(size.height)
    let origin = origin + 0.5 * (across + down)
    return [origin.x, across.x, down.x, origin.y, across.y, down.y]
  }
}
