/// Changes to a finished file: bytes put in, taken out and replaced.
///
/// Offsets are those of the file as it is.
struct Splice: Sendable, Hashable {
  struct Edit: Sendable, Hashable {
    var offset: Int
    var removed = 0
    var inserted: [UInt8] = []
  }

  private(set) var edits: [Edit] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Adds an edit after all others at the same offset, but before those that take something out.
  mutating func add(at offset: Int, removing removed: Int = 0, inserting inserted: [UInt8] = []) {
    if removed == 0 && inserted.isEmpty { return }
    let edit = Edit(offset: offset, removed: removed, inserted: inserted)
    // Sought from the end: most edits come in the order of the file.
    let before = edits.lastIndex {
      $0.offset < offset || $0.offset == offset && (removed > 0 || $0.removed == 0)
    }
    edits.insert(edit, at: before.map { $0 + 1 } ?? 0)
  }

  /// Replaces bytes by as many others.
  mutating func patch(at offset: Int, _ bytes: [UInt8]) {
    add(at: offset, removing: bytes.count, inserting: bytes)
  }

  /// How many bytes the file grows.
  var growth: Int { edits.reduce(0) { $0 + $1.inserted.count - $1.removed } }

  /// How much further back the byte at an offset of the old file stands in the new one.
  func shift(of offset: Int) -> Int {
    edits.prefix { $0.offset + $0.removed <= offset }
      .reduce(0) { $0 + $1.inserted.count - $1.removed }
  }
}

extension Splice {
  /// A part of the old file that stays, and where it goes.
  private struct Piece {
    var source: Range<Int>
    var target: Int
  }

  /// Carries the changes out in a file open for reading and writing.
  ///
  /// Pieces that move towards the start go first, from the front; those that move towards the end
  /// follow, from the back: no piece is written over before it was read.
  func apply(to descriptor: Int32) throws(MetadataError) {
    let size = ByteSource.descriptor(descriptor).count
    guard let pieces = pieces(of: size) else { throw .overlappingEdits }
    for piece in pieces where piece.target < piece.source.lowerBound {
      try Self.move(piece, in: descriptor)
    }
    for piece in pieces.reversed() where piece.target > piece.source.lowerBound {
      try Self.move(piece, in: descriptor)
    }
    var shift = 0
    for edit in edits {
      try write(edit.inserted, to: descriptor, at: edit.offset + shift)
      shift += edit.inserted.count - edit.removed
    }
    if shift < 0 { try truncate(descriptor, to: size + shift) }
  }

  /// The bytes of a file with the changes made; nil where these overlap or lie outside.
  func applied(to bytes: [UInt8]) -> [UInt8]? {
    guard pieces(of: bytes.count) != nil else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + growth)
    var position = 0
    for edit in edits {
      result += bytes[position..<edit.offset]
      result += edit.inserted
      position = edit.offset + edit.removed
    }
    return result + bytes[position...]
  }

  private func pieces(of size: Int) -> [Piece]? {
    var pieces: [Piece] = []
    var (position, shift) = (0, 0)
    for edit in edits {
      guard edit.offset >= position, edit.removed >= 0, edit.offset + edit.removed <= size else {
        return nil
      }
      pieces.append(Piece(source: position..<edit.offset, target: position + shift))
      shift += edit.inserted.count - edit.removed
      position = edit.offset + edit.removed
    }
    pieces.append(Piece(source: position..<size, target: position + shift))
    return pieces
  }

  private static let chunk = 1 << 18

  private static func move(_ piece: Piece, in descriptor: Int32) throws(MetadataError) {
    let shift = piece.target - piece.source.lowerBound
    var done = 0
    while done < piece.source.count {
      let count = min(chunk, piece.source.count - done)
      let start =
        shift < 0 ? piece.source.lowerBound + done : piece.source.upperBound - done - count
      guard let bytes = ByteSource.descriptor(descriptor).whole(at: start, count) else {
        throw .cannotRead
      }
      try write(bytes, to: descriptor, at: start + shift)
      done += count
    }
  }
}
