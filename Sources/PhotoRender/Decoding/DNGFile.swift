import FileStructure

/// The directories of a DNG file: the first directory, which describes the camera, and the
/// directory of the sensor's samples.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023.
struct DNGFile {
  private let file: TIFFFile
  private let first: [TIFFFile.Field]
  private let samples: [TIFFFile.Field]

  /// Reads the directories; nil if the file is not a DNG file.
  init?(_ source: ByteSource) {
    guard let file = TIFFFile(source) else { return nil }
    let first = file.fields(at: file.firstDirectory)
    guard first.contains(where: { $0.tag == 50_706 }) else { return nil }
    let below = first.first { $0.tag == 330 }.flatMap { file.numbers($0, limit: 256) } ?? []
    // The directory of the samples has the subfile type 0; directories of previews have another.
    let all = [first] + below.map { file.fields(at: file.start + $0) }
    let main = all.first { fields in
      fields.first { $0.tag == 254 }.flatMap { file.numbers($0, limit: 8) } == [0]
    }
    self.file = file
    self.first = first
    samples = main ?? first
  }

  var isBigEndian: Bool { file.order == .big }

  /// True if a JPEG file begins at this offset that is not coded as lossless JPEG.
  func hasLosses(jpegAt offset: Int) -> Bool {
    // Only tables precede the frame.
    let head = JPEGFile(.bytes(file.source.bytes(at: offset, 1 << 14)))
    return head.frames.first.map { !$0.isLossless } ?? false
  }

  /// The text of a field of the first directory; nil if it has none.
  func text(_ tag: UInt16) -> String? {
    first.first { $0.tag == tag }.flatMap { file.value($0, limit: 256) }
      .map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The bytes of a field of the samples' directory; nil if it has none.
  func bytes(_ tag: UInt16) -> [UInt8]? {
    samples.first { $0.tag == tag }.flatMap { file.value($0) }
  }

  /// True if the samples' directory or the first one has a field.
  func states(_ tag: UInt16) -> Bool { (samples + first).contains { $0.tag == tag } }

  /// The numbers of a field of the samples' directory, or else of the first directory; nil if
  /// neither has it.
  func numbers(_ tag: UInt16) -> [Double]? {
    let field = samples.first { $0.tag == tag } ?? first.first { $0.tag == tag }
    return field.flatMap(file.doubles)
  }
}

extension TIFFFile {
  /// The numbers of a field of any type of number; nil if they cannot be read, or one of them is
  /// not finite.
  fileprivate func doubles(_ field: Field) -> [Double]? {
    guard let type = field.type, let bytes = value(field) else { return nil }
    let numbers = stride(from: 0, to: bytes.count, by: type.size).map { place in
      double(type, bytes, at: place)
    }
    return numbers.allSatisfy { $0?.isFinite == true } ? numbers.compactMap(\.self) : nil
  }

  private func double(_ type: TIFFType, _ bytes: [UInt8], at place: Int) -> Double? {
    func unsigned(_ offset: Int, _ width: Int) -> UInt64 {
      order.number(bytes[(place + offset)..<(place + offset + width)])
    }
    func signed(_ offset: Int) -> Double {
      Double(Int32(truncatingIfNeeded: unsigned(offset, 4)))
    }
    switch type {
    case .byte, .short, .long, .long8, .directory, .directory8, .undefined:
      return Double(unsigned(0, type.size))
    case .signedByte: return Double(Int8(truncatingIfNeeded: unsigned(0, 1)))
    case .signedShort: return Double(Int16(truncatingIfNeeded: unsigned(0, 2)))
    case .signedLong: return signed(0)
    case .signedLong8: return Double(Int64(truncatingIfNeeded: unsigned(0, 8)))
    case .rational: return Double(unsigned(0, 4)) / Double(unsigned(4, 4))
    case .signedRational: return signed(0) / signed(4)
    case .float: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: unsigned(0, 4))))
    case .double: return Double(bitPattern: unsigned(0, 8))
    case .ascii, .utf8: return nil
    }
  }
}
