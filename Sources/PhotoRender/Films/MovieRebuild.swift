import FileStructure
import PhotoMetadata
import PhotoRecipes

/// Replaces the picture of a film inside the film's own container, or takes a part of the film, or
/// both.
///
/// Sound, subtitles, chapters, timed metadata, edit lists and keys stay as they are, byte by byte.
/// If a library writes a new container, data that this library does not know are lost: FFmpeg 5.1
/// keeps none of the timed metadata of Live Photos.
struct MovieRebuild {
  let source: MovieSource
  /// A film that contains only the new picture, with the same frames as the source; nil to keep the
  /// source's picture.
  var picture: MovieSource?
  /// The part of the film; nil for the whole film.
  var cut: MovieCut?
  /// The time at which each frame is shown, in the unit of the source's track, ascending.
  let times: [Int64]
  /// The size of the new frames as stored.
  let size: Size
  /// The size of the source's frames as stored.
  let sourceSize: Size
  /// True if the new frames show the same part of the scene, so that other pictures still fit.
  let keepsFrame: Bool
  /// Selects texts, places, dates and timed metadata.
  let texts: FilmCuration

  /// Kinds of tracks without private data.
  private static let plainKinds = ["vide", "soun", "text", "sbtl", "subt", "clcp", "tmcd"]

  private var film: MovieSource.Track { source.tracks[source.picture] }
  private var new: MovieTables? { picture.map { $0.tracks[$0.picture].tables } }

  /// True if the new frames have the visible part of the old ones.
  private var keepsAperture: Bool { keepsFrame && size == sourceSize }

  /// The indices of the source's tracks that the new film has.
  private var kept: [Int] {
    source.tracks.indices.filter { index in
      let kind = source.tracks[index].handler
      if index == source.picture { return true }
      if let cut, cut.tracks[index] == nil { return false }
      if kind == "vide" && !keepsFrame { return false }
      if picture != nil && source.tracks[index].describesFrames { return false }
      return Self.plainKinds.contains(kind)
        || texts.keepsTrack(describedBy: source.tracks[index].tables.description)
    }
  }

  /// The kinds of the source's tracks that the new film lacks.
  var lost: [String] {
    let kept = Set(kept)
    let names = ["vide": "another picture", "meta": "timed metadata"]
    let all = source.tracks.indices
      .filter { !kept.contains($0) && !source.tracks[$0].describesFrames }
      // A track that begins later, or ends earlier, than the part is not missing.
      .filter { cut == nil || cut?.tracks[$0] != nil }
      .map { names[source.tracks[$0].handler] ?? "the track '\(source.tracks[$0].handler)'" }
    return Set(all).sorted()
  }

  /// Writes the new film to an empty file.
  ///
  /// - Throws: `encodeFailed` if the new picture does not have all frames, or the disk is full.
  func write(to target: FinishedFile, output: String) throws(RenderError) {
    if let new, new.count != times.count {
      throw .encodeFailed(output: output, "the encoder lost a frame")
    }
    let media = MovieMedia(source: source, picture: picture, cut: cut, kept: kept)
    let pieces = media.pieces
    let head = source.top.first { $0.name == "ftyp" }.map { bytes(of: $0) } ?? []
    // The mark and the film's XMP become one packet.
    var known = XMP()
    var others: [UInt8] = []
    for box in source.top {
      switch box.name {
      case "uuid":
        if movesXMP, let xmp = RenditionMark.xmp(inBox: content(of: box)) {
          known = known.merged(with: xmp)
        } else if texts.keepsBox(content(of: box)) {
          others += bytes(of: box)
        }
      case "meta": if texts.keepsUnknown { others += bytes(of: box) }
      case "udta": others += Box.bytes("udta", texts.userData(content(of: box)))
      default: break
      }
    }
    if let xmp = userXMP?.xmp { known = known.merged(with: xmp) }
    let total = pieces.reduce(0) { $0 + media.count(of: $1) }
    let isWide = total + source.movie.length * 2 > Int(UInt32.max) - (1 << 24)
    let header = movie(pieces, of: media, from: 0, isWide)
    let start = head.count + header.count + others.count + (isWide ? 16 : 8)
    let mediaHead =
      isWide
      ? ByteOrder.big.bytes(1, 4) + Array("mdat".utf8) + ByteOrder.big.bytes(total + 16, 8)
      : ByteOrder.big.bytes(total + 8, 4) + Array("mdat".utf8)
    let placed = movie(pieces, of: media, from: start, isWide)
    var isWritten = target.replace(with: head + placed + others + mediaHead)
    for piece in pieces where isWritten { isWritten = media.copy(piece, to: target) }
    if movesXMP && isWritten { isWritten = target.append(texts.packet(known)) }
    if !isWritten {
      throw .encodeFailed(output: output, "bytes of the film cannot be read or written")
    }
  }

  // MARK: Header

  private func bytes(of box: Box) -> [UInt8] { source.file.bytes(at: box.offset, box.length) }

  private func content(of box: Box) -> [UInt8] {
    source.file.bytes(at: box.content.lowerBound, box.content.count)
  }

  /// The `moov` box for media data that begin at `start`.
  private func movie(
    _ pieces: [MovieMedia.Piece], of media: MovieMedia, from start: Int, _ isWide: Bool
  ) -> [UInt8] {
    var places: [Int: [Int: Int]] = [:]
    var frames: [(offset: Int, samples: Range<Int>)] = []
    var offset = start
    for piece in pieces {
      switch piece {
      case .copied(let track, let chunk, _): places[track, default: [:]][chunk] = offset
      case .frames(let samples): frames.append((offset, samples))
      }
      offset += media.count(of: piece)
    }
    frames.sort { $0.samples.lowerBound < $1.samples.lowerBound }
    var tracks: [Int: [UInt8]] = [:]
    for index in kept {
      let box = source.tracks[index].box
      if index == source.picture, let new {
        let last = cut.map { $0.shown.upperBound - $0.shown.lowerBound - (times.last ?? 0) }
        let table = MoviePictureTable(
          new, keepsAperture ? new.description(framedAs: film.tables) : new.description, times,
          last ?? film.tables.lastDuration, frames, isWide, isQuickTime: source.isQuickTime)
        tracks[box.offset] = track(box, table: table.bytes)
      } else {
        tracks[box.offset] = copied(index, at: places[index] ?? [:], isWide)
      }
    }
    var content: [UInt8] = []
    var (user, meta): ([UInt8]?, [UInt8]?)
    for child in Box.all(in: source.file, source.movie.content) {
      switch child.name {
      case "trak": content += tracks[child.offset] ?? []
      case "mvhd": content += timed(dated(bytes(of: child)))
      case "udta" where !texts.keepsAll && user == nil: user = userData(child)
      case "meta" where !texts.keepsAll && meta == nil:
        meta = texts.meta(self.content(of: child))
      case "udta": content += Box.bytes("udta", userData(child))
      case "meta", "uuid": content += described(child)
      default: content += bytes(of: child)
      }
    }
    let own = texts.headerBoxes(userData: user, meta: meta, isQuickTime: source.isQuickTime)
    return Box.bytes("moov", content + own)
  }

  /// True if the film's XMP becomes part of a packet at the end of the file.
  private var movesXMP: Bool { texts.mark != nil || !texts.keepsAll }

  /// The XMP in the user data of a QuickTime film, with its box, if it becomes part of the packet;
  /// nil otherwise.
  private var userXMP: (box: Box, xmp: XMP)? {
    guard movesXMP else { return nil }
    let data = Box.all(in: source.file, source.movie.content).filter { $0.name == "udta" }
    for box in data.flatMap({ Box.all(in: source.file, $0.content) }) where box.name == "XMP_" {
      if let xmp = try? XMP(content(of: box)) { return (box, xmp) }
    }
    return nil
  }

  /// The content of the film's user data: the texts that stay, the chapters of the part, and no XMP
  /// that is elsewhere.
  private func userData(_ box: Box) -> [UInt8] {
    var bytes = content(of: box)
    if let moved = userXMP?.box, box.content.contains(moved.offset) {
      let start = moved.offset - box.content.lowerBound
      bytes.removeSubrange(start..<(start + moved.length))
    }
    bytes = texts.userData(bytes)
    let chapters = cut?.chapters(in: Box.bytes("udta", bytes))
    return chapters.map { Array($0.dropFirst(8)) } ?? bytes
  }

  /// A box of a header with texts: `udta`, `meta` or `uuid`.
  private func described(_ box: Box) -> [UInt8] {
    switch box.name {
    case "udta": Box.bytes("udta", texts.userData(content(of: box)))
    case "meta": texts.meta(content(of: box)).map { Box.bytes("meta", $0) } ?? []
    default: texts.keepsBox(content(of: box)) ? bytes(of: box) : []
    }
  }

  /// A box with two dates after its version, which become 0 unless dates are kept.
  private func dated(_ bytes: [UInt8]) -> [UInt8] {
    if texts.keepsDates || bytes.count < 28 { return bytes }
    var bytes = bytes
    let width = bytes[8] == 1 ? 16 : 8
    for index in 12..<(12 + width) { bytes[index] = 0 }
    return bytes
  }

  /// The film's header with the unit and the duration of the part.
  private func timed(_ header: [UInt8]) -> [UInt8] {
    guard let cut else { return header }
    let isWide = header.count > 8 && header[8] == 1
    let duration = kept.compactMap { index in
      edits(of: index).map { $0.reduce(0) { $0 + $1.duration } }
    }.max()
    return header.replacing(cut.scale, at: isWide ? 28 : 20, width: 4)
      .replacing(duration ?? cut.duration, at: isWide ? 32 : 24, width: isWide ? 8 : 4)
  }

  /// The new edit list of a track; nil for a film that is not cut.
  private func edits(of track: Int) -> [MovieTrackCut.Edit]? {
    guard let cut else { return nil }
    if track == source.picture && picture != nil {
      return [MovieTrackCut.Edit(duration: cut.duration, mediaTime: 0)]
    }
    return cut.tracks[track]?.edits
  }

  /// The header of a track with its duration and its edit list.
  private func header(_ header: [UInt8], of track: Int) -> [UInt8] {
    guard let edits = edits(of: track), header.count > 8 else { return header }
    let isWide = header[8] == 1
    let duration = edits.reduce(0) { $0 + $1.duration }
    let entries = edits.flatMap {
      ByteOrder.big.bytes($0.duration, 8) + ByteOrder.big.bytes(UInt64(bitPattern: $0.mediaTime), 8)
        + ByteOrder.big.bytes(1 << 16, 4)
    }
    let list = Box.bytes(
      "elst", ByteOrder.big.bytes(1 << 24, 4) + ByteOrder.big.bytes(edits.count, 4) + entries)
    return header.replacing(duration, at: isWide ? 36 : 28, width: isWide ? 8 : 4)
      + Box.bytes("edts", list)
  }

  /// The header of a track's media with its duration.
  private func mediaHeader(_ header: [UInt8], of track: Int) -> [UInt8] {
    guard let cut, header.count > 8 else { return header }
    let isNew = track == source.picture && picture != nil
    let duration = isNew ? cut.duration : Int(cut.tracks[track]?.mediaDuration ?? 0)
    let isWide = header[8] == 1
    return header.replacing(duration, at: isWide ? 32 : 24, width: isWide ? 8 : 4)
  }

  /// The description of a track whose samples are copied.
  private func description(of track: Int) -> [UInt8] {
    let tables = source.tracks[track].tables
    return keepsFrame ? tables.description : tables.descriptionWithoutStillPlace
  }

  /// A track whose samples are copied, and whose chunks have moved.
  private func copied(_ index: Int, at places: [Int: Int], _ isWide: Bool) -> [UInt8] {
    let track = source.tracks[index]
    if let part = cut?.tracks[index] {
      let table = part.table(
        description(of: index), at: part.chunks.indices.map { places[$0] ?? 0 }, isWide: isWide)
      return rebuilt(track.box) { box in
        switch box.name {
        case "stbl": table
        case "edts": []
        case "udta", "meta", "uuid": described(box)
        case "tkhd": header(dated(bytes(of: box)), of: index)
        case "mdhd": mediaHeader(dated(bytes(of: box)), of: index)
        default: nil
        }
      }
    }
    let offsets = track.tables.chunks.indices.map { places[$0] ?? 0 }
    let entries = offsets.flatMap { ByteOrder.big.bytes($0, isWide ? 8 : 4) }
    let table = Box.bytes(
      isWide ? "co64" : "stco",
      ByteOrder.big.bytes(0, 4) + ByteOrder.big.bytes(offsets.count, 4) + entries)
    return rebuilt(track.box) { box in
      switch box.name {
      case "stsd": description(of: index)
      case "stco", "co64": table
      case "udta", "meta", "uuid": described(box)
      case "tkhd", "mdhd": dated(bytes(of: box))
      default: nil
      }
    }
  }

  /// The picture's track with a new table.
  private func track(_ box: Box, table: [UInt8]) -> [UInt8] {
    rebuilt(box) { child in
      switch child.name {
      case "stbl": table
      case "tkhd": header(dated(resized(bytes(of: child))), of: source.picture)
      case "mdhd": mediaHeader(dated(bytes(of: child)), of: source.picture)
      case "edts": cut == nil ? nil : []
      // The box `tapt` states sizes of the old frames and of their visible part.
      case "tapt": keepsAperture ? nil : []
      case "udta", "meta", "uuid": described(child)
      default: nil
      }
    }
  }

  private static let containers = ["trak", "mdia", "minf", "stbl"]

  /// A box; `replacement` replaces some of the boxes inside it.
  private func rebuilt(_ box: Box, _ replacement: (Box) -> [UInt8]?) -> [UInt8] {
    var content: [UInt8] = []
    for child in Box.all(in: source.file, box.content) {
      if let new = replacement(child) {
        content += new
      } else if Self.containers.contains(child.name) {
        content += rebuilt(child, replacement)
      } else {
        content += bytes(of: child)
      }
    }
    return Box.bytes(box.name, content)
  }

  /// The header of the picture's track with the new size and a matrix that fits it.
  private func resized(_ header: [UInt8]) -> [UInt8] {
    var header = header
    let matrix = 8 + (header[8] == 1 ? 52 : 40)
    guard size != sourceSize, header.count >= matrix + 44 else { return header }
    func scale(_ index: Int, _ new: Int, _ old: Int) {
      let value = Int(Int32(truncatingIfNeeded: header.number(index, 4)))
      let scaled = UInt32(bitPattern: Int32(clamping: value * new / max(1, old)))
      header.replaceSubrange(index..<(index + 4), with: ByteOrder.big.bytes(Int(scaled), 4))
    }
    let turnsEdges = header.number(matrix + 4, 4) != 0
    let (x, y) = (matrix + 24, matrix + 28)
    scale(
      x, turnsEdges ? size.height : size.width, turnsEdges ? sourceSize.height : sourceSize.width)
    scale(
      y, turnsEdges ? size.width : size.height, turnsEdges ? sourceSize.width : sourceSize.height)
    scale(matrix + 36, size.width, sourceSize.width)
    scale(matrix + 40, size.height, sourceSize.height)
    return header
  }
}

extension [UInt8] {
  /// The bytes with another big-endian number at an index; the same bytes if they end before.
  fileprivate func replacing(_ number: Int, at index: Int, width: Int) -> [UInt8] {
    guard count >= index + width else { return self }
    var bytes = self
    bytes.replaceSubrange(index..<(index + width), with: ByteOrder.big.bytes(number, width))
    return bytes
  }
}
