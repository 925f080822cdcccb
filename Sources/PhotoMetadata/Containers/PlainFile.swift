public import FileStructure

extension Metadata {
  /// True if a file contains only its picture and colour profile.
  ///
  /// Such a file has no metadata, comment, thumbnail or unknown part. It has no bytes after the
  /// picture's end, except where the format leaves the end open: TIFF allows padding, and a bare
  /// JPEG XL codestream does not state its length. False for unknown formats.
  public static func isAbsent(in source: ByteSource) -> Bool {
    switch ContainerFormat(of: source) {
    case .jpeg: JPEGFile(source).isPlain
    case .png: PNGFile(source).isPlain
    case .webp: WebPFile(source).isPlain
    case .tiff: TIFFFile(source)?.isPlain == true && !isFound(in: source)
    case .heif: HEIFFile(source)?.unexpectedParts.isEmpty == true && !isFound(in: source)
    case .jxl:
      JXLFile(source)?.unexpectedParts(hasGainMap: false).isEmpty == true && !isFound(in: source)
    case .gif: GIFFile(source)?.isPlain == true && !isFound(in: source)
    case nil: false
    }
  }

  /// True if a JPEG, PNG or WebP file contains a colour profile, also one that no decoder reads.
  public static func hasProfile(in source: ByteSource) -> Bool {
    switch ContainerFormat(of: source) {
    case .jpeg:
      let file = JPEGFile(source)
      return file.segments.contains {
        file.content($0, after: JPEGFile.Signature.profile) != nil
      }
    case .png: return PNGFile(source).profiles > 0
    case .webp: return WebPFile(source).profiles > 0
    case .tiff, .heif, .jxl, .gif, nil: return false
    }
  }

  private static func isFound(in source: ByteSource) -> Bool {
    let found = Metadata(of: source)
    return found.exif != nil || found.xmp != nil || found.iptc != nil || !found.comments.isEmpty
      || !found.attachments.isEmpty || !found.warnings.isEmpty
  }

  /// True if an EXIF block describes only how the pixels are stored, as the block that libvips
  /// writes into every file does.
  ///
  /// - Source: Exif 2.32, 4.6; TIFF Revision 6.0, section 2.
  fileprivate static func isTechnical(_ exif: [UInt8]) -> Bool {
    // The blocks that encoders write are shorter; a longer block contains more than these tags.
    guard exif.count < 506, let file = TIFFFile(.bytes(exif)) else {
      return false
    }
    var (places, seen) = ([file.firstDirectory], Set<Int>())
    while let place = places.popLast() {
      let fields = file.fields(at: place)
      // A second directory would describe a thumbnail.
      guard fields.count < 32, file.entryCount(at: place) == fields.count,
        file.next(after: place) == 0,
        seen.insert(place).inserted
      else { return false }
      for field in fields {
        if field.tag == EXIF.Directory.photo.pointer {
          guard let directory = file.pointer(field) else { return false }
          places.append(directory)
        } else if !technicalTags.contains(field.tag) {
          return false
        }
      }
    }
    return true
  }

  /// The tags of size, orientation, resolution, samples, and the versions of the standard.
  private static let technicalTags: Set<UInt16> = [
    0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0112, 0x0115, 0x011A, 0x011B, 0x011C, 0x0128, 0x0213,
    0x9000, 0x9101, 0xA000, 0xA001, 0xA002, 0xA003,
  ]
}

extension JPEGFile {
  /// True if the file contains only the picture's own segments up to the first scan, then only
  /// scans and tables, then its end.
  ///
  /// - Source: ITU-T T.81, B.1.1.3.
  fileprivate var isPlain: Bool {
    guard Self.hasSignature(source) else { return false }
    var place = 2
    for segment in segments {
      guard segment.offset == place, isPlain(segment) else { return false }
      place = segment.end
    }
    guard source.bytes(at: place, 2) == [0xFF, UInt8(Marker.scan)],
      let length = source.number(at: place + 2, 2, .big)
    else { return false }
    return endsAtFirstEnd(from: place + 2 + length)
  }

  private func isPlain(_ segment: Segment) -> Bool {
    switch segment.marker {
    // Frames, tables and restart interval.
    case 0xC0...0xCF, Marker.quantization, 0xDD: true
    case Marker.app0: content(segment, after: Array("JFIF\0".utf8)) != nil
    case Marker.app1: content(segment, after: Signature.exif).map(Metadata.isTechnical) ?? false
    case Marker.app2: content(segment, after: Signature.profile) != nil
    case Marker.app14: content(segment, after: Array("Adobe".utf8)) != nil
    default: false
    }
  }

  /// True if only scans and tables precede the first end marker, and no bytes follow it.
  ///
  /// The content of scans and tables is searched for markers, too.
  private func endsAtFirstEnd(from start: Int) -> Bool {
    var endsFile = false
    forEachMarker(from: start) { marker, offset in
      switch marker {
      // Restart markers; tables and scans.
      case 0xD0...0xD7, 0xC4, Marker.scan, Marker.quantization, 0xDD: return offset + 2
      case Marker.end:
        endsFile = offset + 2 == source.count
        return nil
      default: return nil
      }
    }
    return endsFile
  }
}

extension PNGFile {
  private static let plainChunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "pHYs", "sBIT", "bKGD", "cICP",
  ]

  fileprivate var profiles: Int { chunks.count { $0.name == "iCCP" } }

  /// True if all chunks belong to the picture or its colour, and no bytes follow them.
  ///
  /// A second profile does not belong to the picture: decoders ignore it.
  ///
  /// - Source: PNG Specification, 3rd edition, 11.
  fileprivate var isPlain: Bool {
    guard let last = chunks.last, last.name == "IEND", last.end == source.count, profiles < 2
    else { return false }
    return chunks.dropLast().allSatisfy { Self.plainChunks.contains($0.name) }
  }
}

extension WebPFile {
  private static let plainChunks: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP", "ANIM"]
  private static let frameChunk = "ANMF"
  /// The length in bytes of a frame's position, size and duration, which precede the frame's own
  /// chunks.
  private static let frameHead = 16

  fileprivate var profiles: Int { chunks.count { $0.name == "ICCP" } }

  /// True if all chunks belong to the picture or its colour, and no bytes follow them.
  ///
  /// A second profile does not belong to the picture: decoders ignore it.
  ///
  /// - Source: WebP Container Specification, RFC 9649, 2.
  fileprivate var isPlain: Bool {
    guard announcedLength == source.count, chunks.last?.end == source.count, profiles < 2 else {
      return false
    }
    return chunks.allSatisfy { chunk in
      if chunk.name == "EXIF" {
        let signature = JPEGFile.Signature.exif
        let bytes = source.bytes(at: chunk.data, min(chunk.length, 1024))
        return Metadata.isTechnical(
          bytes.starts(with: signature) ? Array(bytes.dropFirst(signature.count)) : bytes)
      }
      guard chunk.name == Self.frameChunk, chunk.length >= Self.frameHead else {
        return Self.plainChunks.contains(chunk.name)
      }
      let content = (chunk.data + Self.frameHead)..<chunk.end
      let parts = Chunk.all(in: source, content)
      return parts.last?.end ?? content.lowerBound == content.upperBound
        && parts.allSatisfy { Self.plainChunks.contains($0.name) }
    }
  }
}

extension TIFFFile {
  /// The tags that describe how the file's only picture is stored and shown.
  ///
  /// - Source: TIFF Revision 6.0, appendix A; TIFF Technical Notes 1 and 2 for Photoshop;
  ///   ICC.1:2022, annex B.
  private static let pictureTags: Set<UInt16> = [
    254, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 290,
    291, 292, 293, 296, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 334, 336, 338, 339,
    340, 341, 342, 347, 529, 530, 531, 532, 34675,
  ]
  /// The tags that contain the lengths of strips and tiles.
  private static let lengthTags: Set<UInt16> = [279, 325]

  /// True if the file contains one picture, the tags that describe its storage, and no other bytes
  /// except one byte of padding after each part.
  fileprivate var isPlain: Bool {
    let fields = fields(at: firstDirectory)
    guard !fields.isEmpty, next(after: firstDirectory) == 0 else { return false }
    var used = (isBig ? 16 : 8) + countWidth + fields.count * entryWidth + offsetWidth + 1
    for field in fields {
      guard Self.pictureTags.contains(field.tag), let type = field.type,
        field.count <= source.count / type.size
      else { return false }
      if field.count * type.size > offsetWidth { used += field.count * type.size + 1 }
      guard Self.lengthTags.contains(field.tag) else { continue }
      guard let lengths = numbers(field, limit: source.count) else { return false }
      for length in lengths { used += min(length, source.count) + 1 }
    }
    return used >= source.count
  }
}
