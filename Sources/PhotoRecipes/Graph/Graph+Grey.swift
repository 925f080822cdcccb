extension Graph {
  /// The nodes that keep a grey photo grey, with three equal channels.
  ///
  /// A node is left out if this cannot be determined.
  public var greyNodes: Set<ID> {
    nodes.indices.reduce(into: []) { found, id in
      if nodes[id].inputs.allSatisfy(found.contains) && nodes[id].operation.keepsGrey {
        found.insert(id)
      }
    }
  }
}

extension Operation {
  /// True if grey input gives grey output.
  fileprivate var keepsGrey: Bool {
    switch self {
    case .original, .orient, .map, .crop, .turn, .flip, .resize, .rolloff: true
    case .program(let program): program.keepsGrey
    case .area(let area):
      if case .numbers(let fill) = area.arguments["colour"] { Set(fill).count == 1 } else { true }
    case .pad(let pad): pad.colour.isGrey
    case .warp(let warp):
      (warp.keeping != .all || warp.colour.isGrey) && warp.lens?.splitsColours != true
    case .shadow(let shadow): shadow.colour.isGrey && shadow.background.isGrey
    case .flatten(let colour): colour.isGrey
    case .drawn(.corners(let corners)): corners.colour.isGrey
    case .drawn(.image), .drawn(.text), .blend, .measured, .external, .replacement: false
    }
  }
}

extension Colour {
  fileprivate var isGrey: Bool { red == green && green == blue }
}
