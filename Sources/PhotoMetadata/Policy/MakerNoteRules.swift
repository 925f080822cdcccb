import Notation
import PhotoRecipes

extension MetadataPolicy {
  /// The policy with a rule that drops the camera maker's block, if a rule drops a single tag or
  /// property with a fact that makers write into their blocks.
  ///
  /// The coding of most blocks is not documented, so single facts cannot be removed from them.
  var withRuleForMakerNote: MetadataPolicy {
    let makerNote = Rule.group(.makerNote)
    let kinds = Set(MetadataGroup.statedByMakers.map { MetadataKind.group($0) })
    guard !kept.contains(makerNote), !dropped.contains(makerNote),
      dropped.contains(where: { !kinds.isDisjoint(with: $0.kinds) })
    else { return self }
    var policy = self
    policy.dropped.append(makerNote)
    return policy
  }
}

extension MetadataPolicy.Rule {
  /// The subjects of the fields that the rule names.
  ///
  /// A rule for all properties of a prefix has the subjects of those that repeat EXIF tags, because
  /// the others are not from the camera.
  fileprivate var kinds: [MetadataKind] {
    switch self {
    case .group(let group): [.group(group)]
    case .tag(let tag) where !Synonyms.names(of: tag, in: .gps).isEmpty: [.group(.gps)]
    case .tag(let tag): [EXIF.kind(of: tag, in: .photo)]
    case .property(let name) where name.hasSuffix("*"):
      Synonyms.properties(withPrefix: name.dropLast()).map(XMP.kind)
    case .property(let name): MarkupName(prefixed: name).map { [XMP.kind(of: $0)] } ?? []
    }
  }
}
