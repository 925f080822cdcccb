public import ArgumentParser
public import PhotoBatch
public import PhotoLibrary

// The enumerations of PhotoBatch and PhotoLibrary that options of commands accept by name.
extension Durability: ExpressibleByArgument {}
extension ExplanationFormat: ExpressibleByArgument {}
extension ForeignPolicy: ExpressibleByArgument {}
extension ModifiedPolicy: ExpressibleByArgument {}
extension PreviousPolicy: ExpressibleByArgument {}
