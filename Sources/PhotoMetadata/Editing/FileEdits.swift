import FileStructure
import Glibc

/// The reason why metadata could not be written into a finished file.
public enum MetadataError: Error, Hashable {
  case cannotRead
  case cannotWrite(String)
  /// The file is not structured as its format requires.
  case malformed(String)
  /// Two edits of one file change the same bytes.
  case overlappingEdits
  /// The file still contains metadata that the policy denies.
  case denied(String)

  public var message: String {
    switch self {
    case .cannotRead: "the finished file cannot be read again"
    case .cannotWrite(let detail): "metadata cannot be written: \(detail)"
    case .malformed(let detail): "the finished file is damaged: \(detail)"
    case .overlappingEdits: "two changes to the finished file overlap"
    case .denied(let what): "the finished file contains metadata that the recipe removes: \(what)"
    }
  }
}

/// Edits of a finished file: bytes inserted, removed and replaced.
///
/// Offsets refer to the file before the edits.
struct FileEdits: Sendable, Hashable {
  struct Edit: Sendable, Hashable {
    var offset: Int
    var removed = 0
    var inserted: [UInt8] = []
  }

  private(set) var edits: [Edit] = []

  /// Adds an edit after the earlier edits of the same offset; a pure insertion precedes edits that
  /// remove bytes there.
  mutating func add(at offset: Int, removing removed: Int = 0, inserting inserted: [UInt8] = []) {
    if removed == 0 && inserted.isEmpty { return }
    let edit = Edit(offset: offset, removed: removed, inserted: inserted)
    // The search begins at the end, because most edits are added in the order of the file.
    let before = edits.lastIndex {
      $0.offset < offset || $0.offset == offset && (removed > 0 || $0.removed == 0)
    }
    edits.insert(edit, at: before.map { $0 + 1 } ?? 0)
  }

  /// Replaces bytes by the same number of bytes.
  mutating func patch(at offset: Int, _ bytes: [UInt8]) {
    add(at: offset, removing: bytes.count, inserting: bytes)
  }

  /// The number of bytes by which the file grows; negative if it shrinks.
  var growth: Int { edits.reduce(0) { $0 + $1.inserted.count - $1.removed } }
}

extension FileEdits {
  /// A part of the file that stays, and its new offset.
  private struct Piece {
    var source: Range<Int>
    var target: Int
  }

  /// Applies the edits to a file open for reading and writing.
  ///
  /// The parts that move towards the start are moved first, front to back; then parts that move
  /// towards the end, back to front. Thus no part is overwritten before it is read.
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

  /// The edited bytes; nil if edits overlap or are outside the file.
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

/// Writes all bytes at an offset; the file grows as needed.
private func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws(MetadataError) {
  var written = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(
        descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written, offset + written)
    }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { throw .cannotWrite(unsafe String(cString: strerror(errno))) }
    written += count
  }
}

private func truncate(_ descriptor: Int32, to size: Int) throws(MetadataError) {
  guard ftruncate(descriptor, size) == 0 else {
    throw .cannotWrite(unsafe String(cString: strerror(errno)))
  }
}
