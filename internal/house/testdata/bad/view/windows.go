//go:build windows

package view // want `built in no variant`
