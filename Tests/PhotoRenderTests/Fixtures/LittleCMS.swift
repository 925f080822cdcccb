import Foundation

/// Little CMS in the shared library that libvips loads, called without libvips.
enum LittleCMS {
  private typealias Pointer = UnsafeMutableRawPointer
  private typealias Open = @convention(c) (UnsafeRawPointer?, UInt32) -> Pointer?
  private typealias Close = @convention(c) (Pointer?) -> Int32
  private typealias ColourSpace = @convention(c) (Pointer?) -> UInt32
  private typealias StandardRGB = @convention(c) () -> Pointer?
  private typealias ReadTag = @convention(c) (Pointer?, UInt32) -> UnsafePointer<Double>?
  private typealias Create =
    @convention(c) (Pointer?, UInt32, Pointer?, UInt32, UInt32, UInt32) -> Pointer?
  private typealias Convert =
    @convention(c) (Pointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?, UInt32) -> Void
  private typealias Delete = @convention(c) (Pointer?) -> Void

  private struct Library: @unchecked Sendable {
    // These are pointers to functions and never change, so the structure is `Sendable`.
    let open: Open
    let close: Close
    let space: ColourSpace
    let standardRGB: StandardRGB
    let readTag: ReadTag
    let create: Create
    let convert: Convert
    let delete: Delete

    init?() {
      guard let handle = dlopen("liblcms2.so.2", RTLD_NOW) else { return nil }
      let names = [
        "cmsOpenProfileFromMem", "cmsCloseProfile", "cmsGetColorSpace", "cmsCreate_sRGBProfile",
        "cmsCreateTransform", "cmsDoTransform", "cmsDeleteTransform", "cmsReadTag",
      ]
      let found = names.compactMap { dlsym(handle, $0) }
      guard found.count == names.count else { return nil }
      open = unsafeBitCast(found[0], to: Open.self)
      close = unsafeBitCast(found[1], to: Close.self)
      space = unsafeBitCast(found[2], to: ColourSpace.self)
      standardRGB = unsafeBitCast(found[3], to: StandardRGB.self)
      create = unsafeBitCast(found[4], to: Create.self)
      convert = unsafeBitCast(found[5], to: Convert.self)
      delete = unsafeBitCast(found[6], to: Delete.self)
      readTag = unsafeBitCast(found[7], to: ReadTag.self)
    }
  }

  private static let library = Library()

  static var isHere: Bool {
    if library != nil { return true }
    print("SKIPPED: liblcms2.so.2 is not installed")
    return false
  }

  /// The number of channels of the device whose colours the profile describes; nil for other colour
  /// models than grey, RGB and CMYK.
  static func bands(of profile: [UInt8]) -> Int? {
    guard profile.count >= 132 else { return nil }
    return ["GRAY": 1, "RGB ": 3, "CMYK": 4][String(decoding: profile[16..<20], as: UTF8.self)]
  }

  /// True if Little CMS converts colours of a device with `bands` channels by the profile.
  static func uses(_ profile: [UInt8], bands: Int? = nil) -> Bool {
    guard let bands = bands ?? self.bands(of: profile) else { return false }
    return colour(of: [Int](repeating: 128, count: bands), profile) != nil
  }

  /// The 8-bit sRGB colour of a device colour, converted by the profile with the relative
  /// colorimetric intent and black point compensation, or with the perceptual intent if that fails;
  /// nil if Little CMS cannot use the profile.
  static func colour(of colour: [Int], _ profile: [UInt8]) -> [Int]? {
    // The formats of Little CMS: colour model, number of channels, one byte each.
    let formats: [Int: (space: UInt32, format: UInt32)] = [
      1: (0x4752_4159, 3 << 16 | 1 << 3 | 1), 3: (0x5247_4220, 4 << 16 | 3 << 3 | 1),
      4: (0x434D_594B, 6 << 16 | 4 << 3 | 1),
    ]
    guard let library, let (space, format) = formats[colour.count],
      let input = library.open(profile, UInt32(profile.count))
    else { return nil }
    defer { _ = library.close(input) }
    guard library.space(input) == space, let output = library.standardRGB() else { return nil }
    defer { _ = library.close(output) }
    let rgb: UInt32 = 4 << 16 | 3 << 3 | 1
    let transform =
      library.create(input, format, output, rgb, 1, 0x2000)
      ?? library.create(input, format, output, rgb, 0, 0)
    guard let transform else { return nil }
    defer { library.delete(transform) }
    var result = [UInt8](repeating: 0, count: 3)
    library.convert(transform, colour.map { UInt8($0) }, &result, 1)
    return result.map { Int($0) }
  }

  /// True if the colorants of an RGB profile are on a plane or a line.
  static func hasFlatColorants(_ profile: [UInt8]) -> Bool {
    guard let library, let input = library.open(profile, UInt32(profile.count)) else {
      return false
    }
    defer { _ = library.close(input) }
    // The tags rXYZ, gXYZ and bXYZ; each has three numbers.
    let colorants = [UInt32(0x7258_595A), 0x6758_595A, 0x6258_595A].compactMap { name in
      library.readTag(input, name).map { SIMD3($0[0], $0[1], $0[2]) }
    }
    guard colorants.count == 3 else { return false }
    let (a, b, c) = (colorants[0], colorants[1], colorants[2])
    let determinant =
      a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x)
      + a.z * (b.x * c.y - b.y * c.x)
    return abs(determinant) < 1e-13
  }
}
