"""Files of other programs: File > Import and Export, drag and drop."""
