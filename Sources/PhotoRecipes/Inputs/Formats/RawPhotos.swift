extension InputFormat {
  /// Formats of raw photos, which contain the data of a camera's sensor.
  ///
  /// These formats are checked before TIFF, because many of them are TIFF files.
  static let rawPhotos: [InputFormat] = [
    .cr2, .iiq, .dng, .nef, .arw, .pef, .srw, .kodak, .raw, .cr3, .crw, .raf, .orf, .rw2, .mrw,
    .x3f,
  ]

  /// A Canon raw photo (CR2).
  ///
  /// - Source: ExifTool 12.57, the Canon raw tables.
  public static let cr2 = InputFormat("cr2", "a Canon raw photo (CR2)", .raw, "cr2") {
    $0.tiff != nil && $0.starts([0x43, 0x52, 2], at: 8)
  }

  /// A Phase One raw photo (IIQ): TIFF with the maker's signature after the header.
  ///
  /// - Source: ExifTool 12.57, the Phase One tables.
  public static let iiq = InputFormat("iiq", "a Phase One raw photo (IIQ)", .raw, "iiq cap") {
    $0.tiff != nil && ($0.starts("IIII", at: 8) || $0.starts("MMMM", at: 8))
  }

  /// A raw photo (DNG).
  ///
  /// - Source: Adobe DNG 1.7, 2023: the tag DNGVersion.
  public static let dng = InputFormat("dng", "a raw photo (DNG)", .raw, "dng gpr") {
    $0.tiff?.isDNG == true
  }

  /// A Nikon raw photo (NEF).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Nikon tables.
  public static let nef = InputFormat("nef", "a Nikon raw photo (NEF)", .raw, "nef nrw") {
    $0.tiff?.isRaw(by: "NIKON") == true
  }

  /// A Sony raw photo (ARW).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Sony tables.
  public static let arw = InputFormat("arw", "a Sony raw photo (ARW)", .raw, "arw sr2 srf") {
    $0.tiff?.isRaw(by: "SONY") == true
  }

  /// A Pentax raw photo (PEF).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Pentax tables.
  public static let pef = InputFormat("pef", "a Pentax raw photo (PEF)", .raw, "pef ptx") {
    $0.tiff?.isRaw(by: "PENTAX", "RICOH", "ASAHI") == true
  }

  /// A Samsung raw photo (SRW).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Samsung tables.
  public static let srw = InputFormat("srw", "a Samsung raw photo (SRW)", .raw, "srw") {
    $0.tiff?.isRaw(by: "SAMSUNG") == true
  }

  /// A Kodak raw photo.
  ///
  /// - Source: ExifTool 12.57, the TIFF and Kodak tables.
  public static let kodak = InputFormat("kodak", "a Kodak raw photo", .raw, "dcr k25 kdc dcs") {
    $0.tiff?.isRaw(by: "KODAK", "EASTMAN KODAK") == true
  }

  /// Raw photos of other makers, recognised by TIFF tags or by the file extension.
  public static let raw = InputFormat(
    "raw", "a raw photo", .raw,
    "3fr ari bay drf eip erf fff mdc mef mos pxn raw"
  ) { $0.tiff?.isRaw == true }

  /// A Canon raw photo (CR3).
  ///
  /// - Source: L. Lechelle and others, "Canon CR3", 2018: ISO base media with the brand `crx `.
  public static let cr3 = InputFormat("cr3", "a Canon raw photo (CR3)", .raw, "cr3") {
    $0.brands.major == "crx "
  }

  /// A Canon raw photo (CRW).
  ///
  /// - Source: P. Harvey, "The Canon RAW (CRW) File Format", 2005.
  public static let crw = InputFormat("crw", "a Canon raw photo (CRW)", .raw, "crw") {
    $0.starts("HEAPCCDR", at: 6)
  }

  /// A Fujifilm raw photo (RAF).
  ///
  /// - Source: ExifTool 12.57, the Fujifilm tables.
  public static let raf = InputFormat("raf", "a Fujifilm raw photo (RAF)", .raw, "raf") {
    $0.starts("FUJIFILMCCD-RAW")
  }

  /// An Olympus raw photo (ORF).
  ///
  /// - Source: ExifTool 12.57: TIFF with a different version number.
  public static let orf = InputFormat("orf", "an Olympus raw photo (ORF)", .raw, "orf") {
    $0.starts("IIRO") || $0.starts("IIRS") || $0.starts("MMOR")
  }

  /// A Panasonic raw photo (RW2).
  ///
  /// - Source: ExifTool 12.57: TIFF with a different version number.
  public static let rw2 = InputFormat("rw2", "a Panasonic raw photo (RW2)", .raw, "rw2 rwl") {
    $0.starts("IIU\0")
  }

  /// A Minolta raw photo (MRW).
  ///
  /// - Source: D. Coffin, "Minolta raw", in dcraw 9.28.
  public static let mrw = InputFormat("mrw", "a Minolta raw photo (MRW)", .raw, "mrw") {
    $0.starts("\0MRM")
  }

  /// A Sigma raw photo (X3F).
  ///
  /// - Source: Foveon, "X3F File Format", 2.1.
  public static let x3f = InputFormat("x3f", "a Sigma raw photo (X3F)", .raw, "x3f") {
    $0.starts("FOVb")
  }
}
