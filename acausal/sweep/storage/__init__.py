"""Runs on disk: the folder of a sweep, its manifest and rows, shards of it, its status, a script for Slurm."""
