import PhotoRecipes

/// What a drawing takes as a picture of premultiplied floats, and as it was made, in bytes.
enum DrawingMemory {
  static func bytes(_ drawing: Drawing, in size: Size) -> Int {
    switch drawing {
    case .text(let caption):
      let line = caption.size * Double(size.shortEdge)
      let width = max(line, caption.width * Double(size.width))
      // Wide letters, and something for what placeholders stand for.
      let text = caption.content.text
      let length = Double(text.count + (text.contains("{") ? 60 : 0)) * 0.7 * line
      let lines = (length / width).rounded(.up)
      let pixels = min(Double(size.pixels), min(length, width) * lines * 1.5 * line)
      return Int(pixels) * 40 + (12 << 20)
    case .image(let overlay):
      let part = overlay.tiling == nil ? min(1, overlay.scale * overlay.scale) : 1
      let copies = overlay.shadow == nil && overlay.angle == 0 ? 1 : 3
      return Int(part * Double(size.pixels)) * 24 * copies + (8 << 20)
    case .corners(let corners):
      let radius = corners.radius(in: size)
      return 4 * 24 * radius * radius
    }
  }
}
