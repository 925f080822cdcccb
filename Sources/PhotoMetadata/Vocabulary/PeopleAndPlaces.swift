import Notation
import PhotoRecipes

/// The XMP properties that name the people in a photo, or the place where it was taken.
///
/// - Source: IPTC Photo Metadata Standard 2023; Metadata Working Group, Guidelines 2.0, 5.9;
///   PRISM 3.0; Microsoft's People Tagging schema; the XMP tables of ExifTool 12.57.
enum PeopleAndPlaces {
  static let people =
    "Iptc4xmpExt:PersonInImage Iptc4xmpExt:PersonInImageWDetails Iptc4xmpExt:ImageRegion"
    + " Iptc4xmpExt:PersonHeard Iptc4xmpExt:AddlModelInfo Iptc4xmpExt:ModelAge"
    + " plus:ModelReleaseStatus plus:ModelReleaseID plus:MinorModelAgeDisclosure"
    + " MicrosoftPhoto:People prism:person getty:Personality mediapro:People expressionmedia:People"

  static let places =
    "photoshop:City photoshop:State photoshop:Country Iptc4xmpCore:Location"
    + " Iptc4xmpCore:CountryCode Iptc4xmpExt:LocationCreated Iptc4xmpExt:LocationShown"
    + " Iptc4xmpExt:RatingRegion dc:coverage prism:location pmi:location prl:geography"
    + " mediapro:Location photomech:CountryCode xmpDM:shotLocation"

  static let coordinates =
    "drone-dji:Latitude drone-dji:Longitude drone-dji:RtkStdLat drone-dji:RtkStdLon"
    + " drone-dji:AbsoluteAltitude drone-dji:RelativeAltitude Device:EarthPos"

  /// Properties with positions of faces, persons and focus points, relative to the photo's frame.
  private static let regions: Set<String> = [
    "Iptc4xmpExt:ImageRegion", "GFocus:FocalPointX", "GFocus:FocalPointY",
  ]
  /// Vocabularies that contain only regions.
  private static let regionPrefixes: Set<String> = [
    "mwg-rs", "MP", "MPRI", "MPReg", "apple-fi", "acdsee-rs",
  ]

  /// The subject of a property of an unknown vocabulary, determined by the words in the property's
  /// name, such as `faceRegions`.
  static func group(ofUnknown name: String) -> MetadataGroup {
    let words = words(of: name)
    func mentions(_ list: Set<String>) -> Bool { !list.isDisjoint(with: words) }
    if mentions(["gps", "latitude", "longitude", "coordinates", "geotag", "geotate", "geolocation"])
    {
      return .gps
    }
    if mentions([
      "person", "persons", "people", "personality", "face", "faces", "region", "regions",
    ]) {
      return .people
    }
    if mentions([
      "location", "locations", "sublocation", "city", "country", "state", "province", "place",
      "places", "municipality", "locality", "geography",
    ]) {
      return .location
    }
    return .other
  }

  /// True for positions relative to the photo's frame, which are wrong in another frame.
  static func isRegion(_ name: MarkupName) -> Bool {
    guard let prefix = XMPPrefix.byNamespace[name.namespace] else {
      let words = words(of: name.local)
      return ["region", "regions", "face", "faces"].contains(where: words.contains)
    }
    return regionPrefixes.contains(prefix) || regions.contains("\(prefix):\(name.local)")
  }

  /// The words of a name in camel case, in lower case; a run of capitals is one word.
  private static func words(of name: String) -> Set<String> {
    var words: [String] = []
    var word = ""
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      let follows = index > 0 ? letters[index - 1] : letter
      let next = index + 1 < letters.count ? letters[index + 1] : letter
      let begins =
        letter.isUppercase && (!follows.isUppercase || (next.isLowercase && !word.isEmpty))
      if begins || !letter.isLetter {
        words.append(word)
        word = ""
      }
      if letter.isLetter { word += letter.lowercased() }
    }
    return Set(words + [word])
  }
}
