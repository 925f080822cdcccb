import Notation
public import PhotoRecipes

/// A matte or a depth map of a photo, with its description.
///
/// iPhones store it as an auxiliary picture whose XMP describes it. Other phones put a depth map
/// into the photo's XMP (`GDepth`), or append it to the file (Dynamic Depth).
/// - Source: Apple, ImageIO, `kCGImageAuxiliaryDataType…`.
public struct AuxiliaryData: Sendable, Hashable {
  public let kind: AuxiliaryPicture
  /// The picture as a separate file, in the orientation of the photo's stored pixels.
  public var picture: [UInt8]
  /// The description in Apple's form.
  public var xmp: XMP
  /// The meaning of the samples of a depth map in which far positions are bright; nil if near
  /// positions are bright, and for mattes.
  public var range: DepthRange?
  /// The properties of `GDepth` that describe the map, without the map; nil for other forms.
  var properties: [MarkupElement]?
  /// The bytes after the URN in the picture's `auxC` box: the representation of depths in HEVC.
  var representation: [UInt8] = []
  /// The orientation of the picture before the properties of a HEIC file turn it, to which the
  /// camera's calibration refers.
  var coded = Orientation.upright

  /// The maximum size in bytes of a picture.
  public static let mostBytes = 64 << 20

  /// A picture with a description in Apple's form.
  init(_ kind: AuxiliaryPicture, picture: [UInt8], _ xmp: XMP) {
    self.kind = kind
    self.picture = picture
    self.xmp = xmp
    guard kind == .depth, AppleName.localType(in: xmp) == "depth" else { return }
    range = DepthRange(
      form: .linear, near: AppleName.number("FloatMinValue", in: xmp),
      far: AppleName.number("FloatMaxValue", in: xmp))
  }

  /// A depth map that the properties of `GDepth` describe.
  init(picture: [UInt8], _ properties: [MarkupElement]) {
    kind = .depth
    self.picture = picture
    xmp = XMP()
    self.properties = properties
    range = DepthRange(properties)
  }

  /// True if the map is described by properties of the photo's XMP, in Google's form.
  public var isInXMP: Bool { properties != nil }

  /// The same depth map described in Apple's form, with samples that `DepthRange.nearness` makes of
  /// this map's; the map itself if it is described in this form.
  public var inAppleForm: AuxiliaryData {
    guard let range, isInXMP else { return self }
    var xmp = XMP()
    let texts = [
      "AuxiliaryImageType": "disparity", "IntMinValue": "0", "IntMaxValue": "255",
      "NativeFormat": AppleName.floatDisparity, "StoredFormat": AppleName.eightBits,
    ]
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
      xmp.set(AppleName.picture(name), text: text)
    }
    if let (near, far) = range.metres {
      xmp.set(AppleName.picture("FloatMinValue"), text: "\(1 / far)")
      xmp.set(AppleName.picture("FloatMaxValue"), text: "\(1 / near)")
    }
    return AuxiliaryData(.depth, picture: picture, xmp)
  }
}

/// The names in Apple's descriptions of auxiliary pictures.
enum AppleName {
  /// The four characters `hdis` (16-bit floats) and `L008` as numbers.
  static let floatDisparity = "1751411059"
  static let eightBits = "1278226488"

  static func picture(_ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix["apdi"] ?? "", local)
  }

  /// The properties that state the kind of a picture and the meaning of its samples.
  static let essential = Set(
    [
      "AuxiliaryImageType", "AuxiliaryImageSubType", "NativeFormat", "StoredFormat", "IntMinValue",
      "IntMaxValue", "FloatMinValue", "FloatMaxValue",
    ].map(picture))

  static func depth(_ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix["depthData"] ?? "", local)
  }

  static func number(_ local: String, in xmp: XMP) -> Double? {
    xmp.text(picture(local)).flatMap { Double($0) }
  }

  /// The last part of the type, or of the subtype if there is one; empty if the XMP states none.
  ///
  /// The matte of people has the type `depth`, and a subtype.
  static func localType(in xmp: XMP) -> String {
    let name =
      xmp.text(picture("AuxiliaryImageSubType")) ?? xmp.text(picture("AuxiliaryImageType")) ?? ""
    return name.split(separator: ":").last.map(String.init) ?? ""
  }

  /// The kind of picture that an XMP packet describes; nil if it is unknown.
  static func kind(in xmp: XMP) -> AuxiliaryPicture? {
    let name = localType(in: xmp)
    if ["disparity", "depth"].contains(name) { return .depth }
    return AuxiliaryPicture.allCases.first { kind in
      kind != .depth && kind.names.contains { $0.hasSuffix(":\(name)") }
    }
  }
}
