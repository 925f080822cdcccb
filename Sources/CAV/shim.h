#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
