@echo off
rem Starts the plugin with the Node.js on the PATH.
where /q node || (
  echo The plugin user-groups requires Node.js 20.19+ or 22.12+ on the PATH. >&2
  exit /b 1
)
node "%~dp0plugin.cjs" %*
