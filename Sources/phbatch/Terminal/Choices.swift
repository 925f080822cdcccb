public import ArgumentParser
public import PhotoBatch
public import PhotoLibrary

// Choices of the library that options of commands take by their names.
extension Durability: ExpressibleByArgument {}
extension ExplanationFormat: ExpressibleByArgument {}
extension ForeignPolicy: ExpressibleByArgument {}
extension ModifiedPolicy: ExpressibleByArgument {}
extension PreviousPolicy: ExpressibleByArgument {}
