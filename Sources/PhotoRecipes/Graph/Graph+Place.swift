extension Graph {
  /// Where a point of the upright photo lies in the frame of the graph's output, both 0…1 from the
  /// left and from the top; outside them where it was cropped away.
  ///
  /// Nil where the output is not made of the photo, but of what a program gave back.
  public func place(
    of point: Homography.Point, for photo: PhotoShape
  ) -> Homography.Point? {
    let graph = resolved(for: photo)
    let sizes = graph.sizes(for: photo)
    var chain: [ID] = []
    var next = graph.outputs.first?.node
    while let id = next {
      chain.append(id)
      next = graph.nodes[id].inputs.first
    }
    guard let first = chain.last, case .original = graph.nodes[first].operation else { return nil }
    var place = photo.orientation.stored(point) * photo.stored.vector
    var size = photo.stored
    for id in chain.reversed().dropFirst() {
      place = graph.nodes[id].operation.place(of: place, from: size, to: sizes[id])
      size = sizes[id]
    }
    return place / size.vector
  }
}

extension Operation {
  /// Where a place of the input, in pixels of `from`, is in the result.
  fileprivate func place(
    of place: Homography.Point, from: Size, to: Size
  ) -> Homography.Point {
    switch self {
    case .crop(let crop): place - crop.rectangle(in: from).corner
    case .turn(let quarters): place.turned(quarters, in: from)
    case .flip(.horizontal): Homography.Point(Double(from.width) - place.x, place.y)
    case .flip(.vertical): Homography.Point(place.x, Double(from.height) - place.y)
    case .resize: place * to.vector / from.vector
    case .pad(let pad): place + pad.placement(of: from).photo.corner
    case .shadow(let shadow): place + shadow.placement(of: from).photo.corner
    case .warp(let warp): warp.resolved(for: from).map.inverse(place)
    case .original, .orient, .program, .map, .measured, .area, .blend, .drawn, .external,
      .flatten, .replacement:
      place
    }
  }
}

extension Orientation {
  /// The place in the stored photo of a point of the upright one, both 0…1.
  fileprivate func stored(_ point: Homography.Point) -> Homography.Point {
    let turned = point.turned(4 - correction.quarterTurns, in: Size(1, 1))
    return correction.flip ? Homography.Point(1 - turned.x, turned.y) : turned
  }
}

extension Homography.Point {
  /// After quarter turns clockwise of a frame.
  fileprivate func turned(_ quarters: Int, in frame: Size) -> Self {
    (0..<quarters).reduce((self, frame)) { turned, _ in
      let (place, frame) = turned
      return (Self(Double(frame.height) - place.y, place.x), frame.turned)
    }.0
  }
}

extension Size {
  fileprivate var vector: Homography.Point { Homography.Point(Double(width), Double(height)) }
}

extension Rectangle {
  fileprivate var corner: Homography.Point { Homography.Point(Double(left), Double(top)) }
}
