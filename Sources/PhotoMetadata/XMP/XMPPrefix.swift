import Notation
import PhotoRecipes

/// The prefixes that phbatch writes for namespaces; reading considers only the namespace.
///
/// A prefix that occurs twice names one vocabulary with two namespaces; phbatch writes the first.
///
/// - Source: ISO 16684-1:2019, section 8; IPTC Photo Metadata Standard 2023; the namespace tables
///   of ExifTool 12.57.
enum XMPPrefix {
  static let known: KeyValuePairs<String, String> = [
    "x": "adobe:ns:meta/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xml": "http://www.w3.org/XML/1998/namespace",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "xmpRights": "http://ns.adobe.com/xap/1.0/rights/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "xmpNote": "http://ns.adobe.com/xmp/note/",
    "stRef": "http://ns.adobe.com/xap/1.0/sType/ResourceRef#",
    "stEvt": "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#",
    "stArea": "http://ns.adobe.com/xmp/sType/Area#",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/",
    "tiff": "http://ns.adobe.com/tiff/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/",
    "exifEX": "http://cipa.jp/exif/1.0/",
    "aux": "http://ns.adobe.com/exif/1.0/aux/",
    "crs": "http://ns.adobe.com/camera-raw-settings/1.0/",
    "lr": "http://ns.adobe.com/lightroom/1.0/",
    "Iptc4xmpCore": "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/",
    "Iptc4xmpExt": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
    "cc": "http://creativecommons.org/ns#",
    "plus": "http://ns.useplus.org/ldf/xmp/1.0/",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "mwg-kw": "http://www.metadataworkinggroup.com/schemas/keywords/",
    // Windows and ExifTool write the first form, Exiv2 the second.
    "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0",
    "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/",
    "MP": "http://ns.microsoft.com/photo/1.2/",
    "MPRI": "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "MPReg": "http://ns.microsoft.com/photo/1.2/t/Region#",
    "digiKam": "http://www.digikam.org/ns/1.0/",
    "darktable": "http://darktable.sf.net/",
    "acdsee": "http://ns.acdsee.com/iptc/1.0/",
    "acdsee-rs": "http://ns.acdsee.com/regions/",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "pmi": "http://prismstandard.org/namespaces/pmi/2.2/",
    "prl": "http://prismstandard.org/namespaces/prl/2.1/",
    "getty": "http://xmp.gettyimages.com/gift/1.0/",
    "mediapro": "http://ns.iview-multimedia.com/mediapro/1.0/",
    "expressionmedia": "http://ns.microsoft.com/expressionmedia/1.0/",
    "photomech": "http://ns.camerabits.com/photomechanic/1.0/",
    "xmpDM": "http://ns.adobe.com/xmp/1.0/DynamicMedia/",
    "cell": "http://developer.sonyericsson.com/cell/1.0/",
    "dwc": "http://rs.tdwg.org/dwc/index.htm",
    "drone-dji": "http://www.dji.com/drone-dji/1.0/",
    "Device": "http://ns.google.com/photos/dd/1.0/device/",
    "DDContainer": "http://ns.google.com/photos/dd/1.0/container/",
    "apdi": "http://ns.apple.com/pixeldatainfo/1.0/",
    "depthData": "http://ns.apple.com/depthData/1.0/",
    "depthBlurEffect": "http://ns.apple.com/depthBlurEffect/1.0/",
    "portraitEffectsMatte": "http://ns.apple.com/portraitEffectsMatte/1.0/",
    "semanticSegmentationMatte": "http://ns.apple.com/semanticSegmentationMatte/1.0/",
    "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/",
    "HDRGainMap": "http://ns.apple.com/HDRGainMap/1.0/",
    "apple-fi": "http://ns.apple.com/faceinfo/1.0/",
    "Container": "http://ns.google.com/photos/1.0/container/",
    "Item": "http://ns.google.com/photos/1.0/container/item/",
    "GCamera": "http://ns.google.com/photos/1.0/camera/",
    "GDepth": "http://ns.google.com/photos/1.0/depthmap/",
    "GFocus": "http://ns.google.com/photos/1.0/focus/",
    "GImage": "http://ns.google.com/photos/1.0/image/",
    "GContainer": "http://ns.google.com/photos/1.0/container/",
    "GPano": "http://ns.google.com/photos/1.0/panorama/",
  ]

  static let byNamespace = Dictionary(known.map { ($0.value, $0.key) }) { first, _ in first }
  static let byPrefix = Dictionary(known.map { ($0.key, $0.value) }) { first, _ in first }
}

extension MarkupName {
  /// A name from a text such as `dc:title`; nil if the prefix is unknown.
  init?(prefixed text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let namespace = XMPPrefix.byPrefix[parts[0]] else { return nil }
    self.init(namespace, parts[1])
  }

  /// The name in the form `dc:title`; with the namespace in braces if that has no known prefix.
  var prefixed: String {
    XMPPrefix.byNamespace[namespace].map { "\($0):\(local)" } ?? "{\(namespace)}\(local)"
  }

  static func dc(_ name: String) -> Self { Self("http://purl.org/dc/elements/1.1/", name) }
  static func rdf(_ name: String) -> Self {
    Self("http://www.w3.org/1999/02/22-rdf-syntax-ns#", name)
  }
  static func xmp(_ name: String) -> Self { Self("http://ns.adobe.com/xap/1.0/", name) }
  static func history(_ name: String) -> Self { Self("http://ns.adobe.com/xap/1.0/mm/", name) }
  static func photoshop(_ name: String) -> Self { Self(XMPNamespace.photoshop, name) }
  static func tiff(_ name: String) -> Self { Self(XMPNamespace.tiff, name) }
  static func exif(_ name: String) -> Self { Self(XMPNamespace.exif, name) }
  static func iptcCore(_ name: String) -> Self {
    Self("http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", name)
  }
}
