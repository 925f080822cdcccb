public import ArgumentParser
public import PhotoBatch

// Choices of the library that options of commands take by their names.
extension ExplanationFormat: ExpressibleByArgument {}
extension ForeignPolicy: ExpressibleByArgument {}
extension ModifiedPolicy: ExpressibleByArgument {}
extension PreviousPolicy: ExpressibleByArgument {}
