"""What `builder verify` checks, one file per matter. All of it yields problems and stops at none."""
