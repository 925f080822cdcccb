import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The path templates of the outputs of all recipes that were run over a library.
///
/// phbatch uses these templates to recognize, by its path, a rendition whose sidecar is lost. If
/// the registry is lost, the next run of each recipe adds the recipe's templates again.
struct PlaceRegistry: Sendable {
  private static let path: FilePath = ".phbatch/places.json"
  private static let limit = 1 << 20
  /// The maximum number of templates in the file; the oldest are dropped.
  private static let mostPlaces = 1_000

  private(set) var places: [RenditionPlace] = []
  private var isChanged = false

  /// Reads the registry; it is empty if its file is missing or unreadable.
  init(of files: RealFileSystem) {
    guard let bytes = try? files.read(Self.path, limit: Self.limit),
      let json = JSONParser.parse(SourceText(name: Self.path.string, bytes: bytes)).json
    else { return }
    places = (json["places"]?.array ?? []).compactMap { RenditionPlace($0) }
  }

  /// Adds the path templates of a recipe's outputs.
  mutating func add(_ recipe: Recipe) {
    for place in RenditionPlace.places(of: recipe) where !places.contains(place) {
      places.append(place)
      isChanged = true
    }
  }

  /// Saves new path templates; errors are ignored, because no run depends on the registry.
  func save(in files: RealFileSystem) {
    guard isChanged else { return }
    let json = JSON.object(["places": .array(places.suffix(Self.mostPlaces).map(\.json))])
    try? files.replace(Self.path, with: json.canonicalBytes)
  }
}
