"""What files say, read by others: MuJoCo, OpenUSD, and the documents of formats themselves."""
