@echo off
node "%~dp0plugin.cjs" %*
