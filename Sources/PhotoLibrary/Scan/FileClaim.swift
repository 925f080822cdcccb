/// What a file's extension says it is.
public enum FileClaim: Sendable, Hashable {
  case photo(PhotoFormat)
  case unsupported(UnsupportedFormat)
  /// Nothing about pictures; the bytes may still be one.
  case none

  public init(_ name: FileName) {
    self = Self.table[Self.key(name.extension)] ?? .none
  }

  /// Up to eight bytes, with ASCII letters in lower case; 0 for longer extensions.
  private static func key(_ extension: some Collection<UInt8>) -> UInt64 {
    guard `extension`.count <= 8 else { return 0 }
    return `extension`.reduce(0) { key, byte in
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      return key << 8 | UInt64(isUpper ? byte | 0x20 : byte)
    }
  }

  private static let table: [UInt64: FileClaim] = {
    var table: [UInt64: FileClaim] = [:]
    for (claim, extensions) in extensions {
      for name in extensions.split(separator: " ") { table[key(name.utf8)] = claim }
    }
    return table
  }()

  private static let extensions: [(FileClaim, String)] = [
    (.photo(.jpeg), "jpg jpeg jpe jfif jif mpo insp"),
    (.photo(.png), "png apng"),
    (.photo(.webp), "webp"),
    (.photo(.gif), "gif"),
    (.photo(.tiff), "tif tiff btf"),
    (.photo(.heif), "heic heif hif heics heifs"),
    (.photo(.avif), "avif avifs"),
    (.photo(.jxl), "jxl"),
    (.photo(.jp2), "jp2 j2k j2c jpc jpf jpx"),
    (
      .unsupported(.raw),
      """
      3fr ari arw bay cap cr2 cr3 crw dcr dcs dng drf eip erf fff gpr iiq k25 kdc mdc mef mos mrw \
      nef nrw orf pef ptx pxn raf raw rw2 rwl sr2 srf srw x3f
      """
    ),
    (
      .unsupported(.video),
      """
      3g2 3gp asf avi dv flv insv lrv m2t m2ts m4v mkv mov mp4 mpeg mpg mts mxf ogv r3d vob webm wmv
      """
    ),
    (.unsupported(.document), "ai eps indd pdf ps svg svgz"),
    (
      .unsupported(.picture),
      """
      bmp cur dcm dds dib exr fit fits fts hdr ico jxr pbm pcx pfm pgm pnm ppm psb psd qoi tga wdp xcf
      """
    ),
  ]
}
