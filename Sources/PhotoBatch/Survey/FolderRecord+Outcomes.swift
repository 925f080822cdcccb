import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension PhotoPlan {
  /// The plan that an earlier run recorded for a photo; it is valid until the files, the recipe or
  /// the options change.
  init?(_ photo: FolderRecord.Photo, in folder: FilePath) {
    guard let reason = Reason(rawValue: photo.reason), let path = photo.name.path(in: folder) else {
      return nil
    }
    self.init(path, .leave(reason), photo.detail, hint: photo.hint)
    warnings = photo.warnings
    isLasting = true
  }

  /// The record for the index; nil if the plan is valid only for this run.
  var record: FolderRecord.Photo? { AssetOutcome(self).record }
}

extension AssetOutcome {
  /// The record for later runs; nil if the outcome is valid only for this run.
  var record: FolderRecord.Photo? {
    guard isLasting, let name = path.lastComponent else { return nil }
    return FolderRecord.Photo(
      name: FileName(name), reason: reason.rawValue, detail: detail, hint: hint, warnings: warnings)
  }
}
