import Notation
import PhotoRecipes

/// The descriptions of mattes and depth maps, which a policy filters like the photo's XMP.
extension Curation {
  /// A matte or a depth map with the part of its description that the policy keeps.
  ///
  /// Properties that state the kind of the picture and the meaning of its samples stay. Regions and
  /// coordinates that would have to be changed are left out, because the photo's XMP has them.
  public func curated(_ data: AuxiliaryData) -> AuxiliaryData {
    var (data, rules) = (data, self)
    if case .round = policy.effectivePosition {
      var policy = policy
      policy.position = .drop
      rules = Curation(policy, for: facts, values: values)
    }
    data.xmp.removeAll { property in
      if AppleName.essential.contains(property.name) { return false }
      return PeopleAndPlaces.isRegion(property.name) || !rules.keeps(property)
    }
    data.xmp.removeNestedThumbnails()
    data.xmp.replaceAll(rules.withoutDeniedParts)
    return data
  }
}
