"""Forms that the extensions of physics had before: one step before a document is read.

`parts` has a row for each member that ever was; `renaming` applies rows, `bodies`, `geometries` and
`joints` do what is more than a name. Read, never written.
"""
