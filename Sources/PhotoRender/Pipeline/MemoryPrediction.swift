import PhotoRecipes

extension Renderer {
  /// What rendering a photo will take.
  public func memory(for header: PhotoHeader) throws(RenderError) -> MemoryNeeds {
    MemoryNeeds(usual: 200 << 20, spilled: 100 << 20)
  }
}
