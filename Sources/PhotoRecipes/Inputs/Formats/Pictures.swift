extension InputFormat {
  /// Formats of pictures that are read only on request, or not at all.
  static let pictures: [InputFormat] = [
    .exr, .hdr, .fits, .psd, .qoi, .xcf, .dicom, .jxr, .dds, .picture, .ppm, .bmp, .ico,
  ]

  /// An OpenEXR picture.
  ///
  /// - Source: "OpenEXR File Layout", 2020.
  public static let exr = InputFormat(
    "exr", "an OpenEXR picture", .picture, "exr", request: "exr",
    loader: .init("openexrload", needsPath: true)
  ) { $0.starts([0x76, 0x2F, 0x31, 0x01]) }

  /// A Radiance HDR picture.
  ///
  /// - Source: G. Ward, "Radiance File Formats".
  public static let hdr = InputFormat(
    "hdr", "a Radiance HDR picture", .picture, "hdr rgbe", request: "hdr",
    loader: .init("radload_source")
  ) { $0.starts("#?RADIANCE") || $0.starts("#?RGBE") }

  /// A FITS picture.
  ///
  /// - Source: FITS Standard 4.0, 4.4.1.
  public static let fits = InputFormat(
    "fits", "a FITS picture", .picture, "fit fits fts", request: "fits",
    loader: .init("fitsload", hasFrames: true, needsPath: true)
  ) { $0.starts("SIMPLE  =") }

  /// A Photoshop document.
  ///
  /// - Source: Adobe Photoshop File Formats Specification, 2019.
  public static let psd = InputFormat("psd", "a Photoshop document", .picture, "psd psb") {
    $0.starts("8BPS")
  }

  /// A QOI picture.
  ///
  /// - Source: "The Quite OK Image Format", 1.0.
  public static let qoi = InputFormat("qoi", "a QOI picture", .picture, "qoi") { $0.starts("qoif") }

  /// A GIMP document.
  ///
  /// - Source: GIMP, "XCF file format".
  public static let xcf = InputFormat("xcf", "a GIMP document", .picture, "xcf") {
    $0.starts("gimp xcf")
  }

  /// A DICOM picture.
  ///
  /// - Source: DICOM PS3.10, 7.1.
  public static let dicom = InputFormat("dicom", "a DICOM picture", .picture, "dcm") {
    $0.starts("DICM", at: 128)
  }

  /// A JPEG XR picture.
  ///
  /// - Source: ITU-T T.832, A.5.
  public static let jxr = InputFormat("jxr", "a JPEG XR picture", .picture, "jxr wdp hdp") {
    $0.starts([0x49, 0x49, 0xBC])
  }

  /// A DirectDraw surface.
  ///
  /// - Source: Microsoft, "DDS file layout".
  public static let dds = InputFormat("dds", "a DirectDraw surface", .picture, "dds") {
    $0.starts("DDS ")
  }

  /// Pictures that are recognised only by the file extension.
  public static let picture = InputFormat(
    "picture", "a picture in an unsupported format", .picture, "pcx tga"
  ) { _ in false }

  /// A portable bitmap, greymap, pixmap or float map.
  ///
  /// - Source: netpbm's format documentation; P. Debevec for the float map.
  public static let ppm = InputFormat(
    "ppm", "a portable pixmap", .picture, "pbm pgm ppm pnm pfm", request: "ppm", isWeak: true,
    loader: .init("ppmload_source")
  ) {
    guard $0.bytes.count > 2, $0.starts("P") else { return false }
    return "123456fF".utf8.contains($0.bytes[1])
      && [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "#")].contains($0.bytes[2])
  }

  /// A Windows bitmap.
  ///
  /// - Source: Microsoft, BITMAPFILEHEADER.
  public static let bmp = InputFormat("bmp", "a Windows bitmap", .picture, "bmp dib", isWeak: true)
  { $0.starts("BM") }

  /// An icon.
  ///
  /// - Source: Microsoft, "Icons", 1995.
  public static let ico = InputFormat("ico", "an icon", .picture, "ico cur", isWeak: true) {
    // Checks the number of pictures in the icon file, because Targa files may begin with the same
    // bytes, but have zeros in place of this number.
    ($0.starts([0, 0, 1, 0]) || $0.starts([0, 0, 2, 0]))
      && $0.bytes.dropFirst(4).prefix(2).contains { $0 > 0 }
  }
}
