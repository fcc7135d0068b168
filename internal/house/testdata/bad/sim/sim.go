package sim

import (
	"reflect"
	_ "unsafe" // want `unsafe belongs to ecs`
)

func Maps(v reflect.Value) int {
	r := v.MapRange() // want `reflect.Value.MapRange: the order`
	r.Next()
	for range v.Seq() { // want `reflect.Value.Seq: the order`
	}
	for range v.Seq2() { // want `reflect.Value.Seq2: the order`
	}
	return len(v.MapKeys()) + v.NumField() // want `reflect.Value.MapKeys: the order`
}
