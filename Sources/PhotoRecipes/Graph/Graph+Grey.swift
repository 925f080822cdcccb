extension Graph {
  /// The nodes with only greys, as three equal channels, of a grey photo or of a photo in colour.
  ///
  /// A node is left out if this cannot be determined.
  public func greyNodes(ofGrey isGrey: Bool) -> Set<ID> {
    nodes.indices.reduce(into: []) { found, id in
      let (inputs, operation) = (nodes[id].inputs, nodes[id].operation)
      let areGrey = inputs.map(found.contains)
      let makesGrey =
        switch operation {
        case .original: isGrey
        case .program(let program):
          program.makesGrey(
            of: areGrey.first ?? false, layers: areGrey.dropFirst().allSatisfy { $0 })
        default: areGrey.allSatisfy { $0 } && operation.keepsGrey
        }
      if makesGrey { found.insert(id) }
    }
  }
}

extension Operation {
  /// True if grey input gives grey output.
  fileprivate var keepsGrey: Bool {
    switch self {
    case .orient, .map, .crop, .turn, .flip, .resize, .rolloff: true
    case .area(let area):
      if case .numbers(let fill) = area.arguments["colour"] { Set(fill).count == 1 } else { true }
    case .pad(let pad): pad.colour.isGrey
    case .warp(let warp):
      (warp.keeping != .all || warp.colour.isGrey) && warp.lens?.splitsColours != true
    case .shadow(let shadow): shadow.colour.isGrey && shadow.background.isGrey
    case .flatten(let colour): colour.isGrey
    case .drawn(.corners(let corners)): corners.colour.isGrey
    case .original, .program, .drawn(.image), .drawn(.text), .blend, .measured, .external,
      .replacement:
      false
    }
  }
}

extension Colour {
  fileprivate var isGrey: Bool { red == green && green == blue }
}
